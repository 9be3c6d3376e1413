// Times as the clocks of the house show them, wherever the browser is; kept in seconds since 1970.
let zone = 'America/New_York'
let shown = makeFormats()

function makeFormats() {
  return {
    clock: new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long', timeZone: zone }),
    parts: new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
  }
}

/** Show and read times in this zone from now on. */
export function setZone(name: string): void {
  zone = name
  shown = makeFormats()
}

/** A time with its zone: “Nov 1, 2026, 1:30:00 AM EST”. */
export const clock = (seconds: number): string => shown.clock.format(seconds * 1000)

/** A time as an input for date and time has it: “2026-11-01T01:30:00”. */
export function inputTime(seconds: number): string {
  const part = Object.fromEntries(shown.parts.formatToParts(seconds * 1000).map(({ type, value }) => [type, value]))
  return `${part.year!.padStart(4, '0')}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`
}

const DAY = 86_400
const asIfUtc = (text: string): number => Math.floor(Date.parse(`${text}Z`) / 1000)

/**
 * The moment of such a text; null where it is none. Where clocks are set back a time comes twice, where they are set
 * forward some never come: a beginning is the earlier of both then, an end the later, so that nothing is left out.
 */
export function parseTime(text: string, end: boolean): number | null {
  const wanted = asIfUtc(text)
  if (!text || !Number.isFinite(wanted)) return null
  // By the offset of the day before and of the day after: one of them is right.
  const both = [wanted - DAY, wanted + DAY].map((near) => wanted - (asIfUtc(inputTime(near)) - near))
  const right = both.filter((seconds) => asIfUtc(inputTime(seconds)) === wanted)
  const found = right.length ? right : both
  return Math.max(0, end ? Math.max(...found) : Math.min(...found))
}
