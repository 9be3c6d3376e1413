// The dealer's voice: what the table waits for, in a sentence.
import type { View } from '../lib/types'

export function status(view: View, own: number[]): string {
  if (view.void) return 'The round is void.'
  if (view.claimed) return `Seat ${view.claimed}: a payout waits for the floor.`
  if (view.to_act) return own.includes(view.to_act) ? 'Your turn.' : `Seat ${view.to_act} decides.`
  const held = view.boxes.find((box) => box.by_hand && !box.documented)
  if (held) return `Seat ${held.seat}: a payout is documented and paid by hand.`
  if (view.due === 'clear') return 'The round is settled.'
  if (!view.called) return view.boxes.length ? 'Bets are taken.' : 'Place your bets.'
  return 'No more bets.'
}
