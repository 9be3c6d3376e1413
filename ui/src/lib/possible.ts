// The actions of a table by the type of their command.
import type { Command, Possible } from './types'

/** A test for actions of one type: `can.filter(isOf('Decide'))`. */
export const isOf =
  <T extends Command['type']>(type: T) =>
  (action: { command: Command }): action is Possible<T> =>
    action.command.type === type
