// Checks, in this browser, that cards which were shown are those the house committed to before the deal:
// each opening is hashed up to the root of the tree over the 52 salted positions.
export type Opening = { position: number; card: string; salt: string; path: string[] }

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))
const hex = (data: Uint8Array): string => [...data].map((byte) => byte.toString(16).padStart(2, '0')).join('')

async function hash(...parts: Uint8Array[]): Promise<Uint8Array> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let place = 0
  for (const part of parts) {
    whole.set(part, place)
    place += part.length
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole))
}

/** Whether an opening belongs to a root. */
export async function isValidOpening(root: string, shown: Opening): Promise<boolean> {
  const card = new TextEncoder().encode(shown.card)
  let branch = await hash(Uint8Array.of(0, shown.position), card, bytes(shown.salt))
  let place = shown.position
  for (const step of shown.path) {
    branch = place & 1 ? await hash(Uint8Array.of(1), bytes(step), branch) : await hash(Uint8Array.of(1), branch, bytes(step))
    place >>= 1
  }
  return place === 0 && hex(branch) === root
}
