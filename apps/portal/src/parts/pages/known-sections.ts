import type { Section } from './section.ts'

let known: readonly Section[] = []

/** The sections of the portal that runs, for pages that lead to other sections. */
export const knownSections = () => known

export const setKnownSections = (sections: readonly Section[]) => {
  known = sections
}
