import type { NumberWriting } from '@longreach/ui/number-writing'
import type { TemperatureUnit } from '@longreach/ui/shown-unit'
import { createContext, use, useSyncExternalStore } from 'react'
import type { Language } from '../words/locale-rules.ts'

export type Scheme = 'light' | 'dark' | 'auto'
/** Clock of 12 or 24 hours; auto: that of the language. */
export type Hours = 'auto' | '12' | '24'

type LookValue = {
  language: Language
  setLanguage: (language: Language) => Promise<void>
  scheme: Scheme
  setScheme: (scheme: Scheme) => void
  /** The zone that times are shown in, by its IANA name. */
  zone: string
  /** Undefined: the browser's. */
  setZone: (zone: string | undefined) => void
  hours: Hours
  setHours: (hours: Hours) => void
  numbers: NumberWriting
  setNumbers: (numbers: NumberWriting) => void
  temperature: TemperatureUnit
  setTemperature: (unit: TemperatureUnit) => void
}

const LookContext = createContext<LookValue | undefined>(undefined)
export const Look = LookContext.Provider

/** Language, colours and time zone, and how to change them. */
export function useLook() {
  const look = use(LookContext)
  if (look === undefined) throw new Error('useLook needs Providers above it')
  return look
}

const dark = () => matchMedia('(prefers-color-scheme: dark)')

/** Colour scheme of the operating system, as it changes. */
export const useSystemScheme = () =>
  useSyncExternalStore(
    (listener) => {
      const query = dark()
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => (dark().matches ? 'dark' : 'light'),
  )
