import type { Section } from './section.ts'

declare module '@longreach/ui/use-words' {
  interface MessageIds {
    /** Name of each section, from its `section.ts`. */
    [section: `shell.section.${Section['id']}`]: true
  }
}
