import type {} from '@longreach/ui/use-words'

declare module '@longreach/ui/use-words' {
  interface MessageIds {
    /** Name of each section, from its `section.ts`. */
    [section: `shell.section.${string}`]: true
  }
}
