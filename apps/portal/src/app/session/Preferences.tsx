import { LocalePreference } from './LocalePreference.tsx'
import { useEffect } from 'react'
import { useSession } from '../../parts/session/session.ts'
import { keptStartPage } from './kept-start-page.ts'
import { LookPreference } from './LookPreference.tsx'

/** What goes with the person from browser to browser; loaded after the page has drawn. */
export function Preferences() {
  const { organization } = useSession()
  useEffect(() => void keptStartPage(organization.resourceId), [organization.resourceId])
  return (
    <>
      <LocalePreference />
      <LookPreference />
    </>
  )
}
