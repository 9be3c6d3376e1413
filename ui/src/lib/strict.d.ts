// JSON from outside is unknown until a type is stated for it; TypeScript's own declarations say `any`.
interface JSON {
  parse(text: string): unknown
}
interface Body {
  json(): Promise<unknown>
}
