/** First page after sign-in; HOME is the first section in the specified order that the person may enter. */
export type StartPage = 'HOME' | 'OVERVIEW'
export const startPages: readonly StartPage[] = ['HOME', 'OVERVIEW']

/** Name of the preference, kept by organization. */
export const startPageService = 'startPage'

let chosen: StartPage | undefined

/** Start page that the person chose for the organization; undefined: that of the organization. */
export const chosenStartPage = () => chosen

export const chooseStartPage = (page: StartPage | undefined) => {
  chosen = page
}

/** Start page by its name; undefined for an unknown name. */
export const startPageOf = (text: string | undefined) => startPages.find((page) => page === text)
