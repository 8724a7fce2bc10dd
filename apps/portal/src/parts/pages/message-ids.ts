declare module '@longreach/ui/use-words' {
  interface MessageIds {
    /** Name of each section, from its `section.ts`. */
    [section: `shell.section.${string}`]: true
  }
}

export {} // a module, as the declaration adds to another one
