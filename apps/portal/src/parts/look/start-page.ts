/** Where the portal begins: HOME is the first section in the specified order. */
export type StartPage = 'HOME' | 'OVERVIEW'
export const startPages: readonly StartPage[] = ['HOME', 'OVERVIEW']

/** Name of the preference, kept by organization. */
export const startPageService = 'startPage'

let chosen: StartPage | undefined

/** What the person chose for the organization; undefined: what the organization says. */
export const chosenStartPage = () => chosen

export const chooseStartPage = (page: StartPage | undefined) => {
  chosen = page
}

/** A start page by its name; what is no name of one is nothing. */
export const startPageOf = (text: string | undefined) => startPages.find((page) => page === text)
