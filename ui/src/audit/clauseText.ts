// A text of the record taken apart at the clauses and hashes in it, so that a clause becomes a tag.
export type Piece = { text: string } | { cite: string } | { hash: string }

/** “(§ 639a.13(c)).” names 639a.13(c): what closes around it, or ends the sentence, is not of the clause. */
function clause(text: string): string {
  let cite = text.replace(/[.,;:”]+$/, '')
  while (cite.endsWith(')') && cite.split(')').length > cite.split('(').length) {
    cite = cite.slice(0, -1).replace(/[.,;:]+$/, '')
  }
  return cite
}

const hashed = (text: string): Piece[] =>
  text.split(/\b([0-9a-f]{64})\b/).map((part, i) => (i % 2 ? { hash: part } : { text: part }))

export function splitClauses(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const found of text.matchAll(/(\(?)§\s(\d{3}a\.\S+)/g)) {
    const [all, bracket, rest] = found as unknown as [string, string, string]
    const cite = clause(rest)
    let end = found.index + all.length - rest.length + cite.length
    if (bracket && text[end] === ')') end += 1
    pieces.push(...hashed(text.slice(from, found.index)), { cite })
    from = end
  }
  return [...pieces, ...hashed(text.slice(from))]
}
