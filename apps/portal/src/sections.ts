import type { Section } from './lib/section.ts'

/** Every section of the portal, in the order of the menu. */
export const sections: readonly Section[] = []
