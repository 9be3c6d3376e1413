// How cards and chips move; nothing moves where motion is not wanted.
import { house } from '../lib/house.svelte'

/** How long a card waits for those dealt before it: one moves at a time, in the order of the deal. */
export function wait(place: number, turn: number, width: number): number {
  return house.still ? 0 : Math.min(2400, (place * (width + 1) + turn) * 95)
}

/** A card slides from the shoe to where it lies. */
export function dealMotion(_: Element, { dx, dy, delay, skip = false }: { dx: number; dy: number; delay: number; skip?: boolean }) {
  if (house.still || skip) return { duration: 0 }
  return {
    delay,
    duration: 190,
    easing: (t: number) => 1 - (1 - t) ** 3,
    css: (t: number, u: number) => `transform: translate(${u * dx}px, ${u * dy}px); opacity: ${Math.min(1, t * 4)}`,
  }
}

/** A card turns about its middle. */
export function turnMotion(_: Element, { delay = 0 }: { delay?: number } = {}) {
  if (house.still) return { duration: 0 }
  return {
    delay,
    duration: 180,
    css: (t: number) => `transform: scaleX(${t}); transform-origin: center; transform-box: fill-box`,
  }
}

/** Chips come from the player's side. */
export function chipMotion(_: Element) {
  if (house.still) return { duration: 0 }
  return { duration: 240, css: (t: number, u: number) => `transform: translateY(${u * 90}px); opacity: ${t}` }
}
