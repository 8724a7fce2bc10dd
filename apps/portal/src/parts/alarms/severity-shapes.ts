import type { SeverityName } from './severity.ts'

/** Outlines of the severities in a box of 16 by 16; the inner one of two is a hole. */
export const severityOutlines: Record<SeverityName, string> = {
  critical: 'M5 .6h6L15.4 5v6L11 15.4H5L.6 11V5Z',
  high: 'M8 .4 15.6 8 8 15.6.4 8Z',
  medium: 'M8 1.4 15.5 14.6H.5Z',
  low: 'M4.8 1.8h6.4a3 3 0 0 1 3 3v6.4a3 3 0 0 1-3 3H4.8a3 3 0 0 1-3-3V4.8a3 3 0 0 1 3-3Z',
  info: 'M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14ZM8 3.4a4.6 4.6 0 1 1 0 9.2a4.6 4.6 0 1 1 0-9.2Z',
}

/** Exclamation mark in the outline of the worst. */
export const exclamation = 'M7.1 3.8h1.8l-.3 5H7.4ZM8 9.9a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2Z'
