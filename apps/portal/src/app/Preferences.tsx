import { LocalePreference } from './LocalePreference.tsx'
import { LookPreference } from './LookPreference.tsx'

/** What goes with the person from browser to browser; loaded after the page has drawn. */
export function Preferences() {
  return (
    <>
      <LocalePreference />
      <LookPreference />
    </>
  )
}
