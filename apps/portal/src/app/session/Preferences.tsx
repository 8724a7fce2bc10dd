import { LocalePreference } from './LocalePreference.tsx'
import { useEffect } from 'react'
import { useSession } from '../../parts/session/session.ts'
import { keptStartPage } from './kept-start-page.ts'
import { LookPreference } from './LookPreference.tsx'

/** Preferences that are saved for the person in every browser; loaded after the page is drawn. */
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
