// What entries of a log are, in words: commands at a table, acts of the house.
import type { components } from '../lib/schema'

type S = components['schemas']

export const COMMANDS: Record<S['OrderBody']['command']['type'], string> = {
  Perform: 'a step of the procedure',
  Sit: 'sits down',
  Stand: 'stands up',
  Leave: 'leaves during the round',
  Wager: 'wagers',
  Decide: 'decides',
  Report: 'reports an irregularity',
  Acknowledge: 'acknowledges or validates',
  Reject: 'does not validate',
  Withhold: 'withholds a payout',
  Document: 'documents a payout',
  Correct: 'corrects a card',
  Recut: 'orders a recut',
  Reshuffle: 'orders a reshuffle',
  ChangeDeck: 'changes the deck',
  ChangeDealing: 'changes the dealing',
  Cover: 'covers a device',
  Repair: 'a device is in order again',
  Idle: 'nobody plays',
  TakeOver: 'another version takes the table over',
  Tick: 'the clock',
  Warn: 'warns a player who does not decide',
}

export const ACTS: Record<S['ActBody']['act']['type'], string> = {
  OpenTable: 'a table is opened',
  CloseTable: 'a table is closed',
  Suspend: 'a wager is suspended',
  Resume: 'a wager is taken again',
  BuyIn: 'buys in',
  CashOut: 'cashes out',
  Fill: 'a fill',
  Credit: 'a credit',
  Amend: 'the ledger is corrected',
  Hire: 'a post or a password',
  Dismiss: 'somebody is dismissed',
  Approve: 'a second person approves',
  Decline: 'a second person declines',
  Note: 'a note on a dispute',
  RecordApproval: 'an approval of the Board',
  RecordTraining: 'a training record',
  Noted: 'the house notes something',
}
