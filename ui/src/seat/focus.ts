// What appears in the place of something that had the focus takes it up, so that a keyboard goes on from there.
export function takeFocus(node: HTMLElement): void {
  queueMicrotask(() => document.activeElement === document.body && node.focus({ preventScroll: true }))
}
