import { createContext, use } from 'react'

/** Opens the search over everything; the shell knows how. */
export const OpenPalette = createContext<() => void>(() => undefined)
export const useOpenPalette = () => use(OpenPalette)
