/** Milliseconds after which a button that has just appeared takes a click; a second click of a double click finds it asleep. */
export const ARMING = 450
