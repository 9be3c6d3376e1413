// Amounts of the ledger: micro-cents, written as dollars with every decimal they have.
const DOLLAR = 100_000_000n

export function formatMicroCents(micro: bigint): string {
  const size = micro < 0n ? -micro : micro
  const parts = String(size % DOLLAR)
    .padStart(8, '0')
    .replace(/0{1,6}$/, '')
  return `${micro < 0n ? '−' : ''}$${(size / DOLLAR).toLocaleString('en-US')}.${parts}`
}
