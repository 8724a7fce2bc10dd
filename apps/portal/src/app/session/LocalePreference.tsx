import { useEffect, useRef } from 'react'
import { useLook } from '../../parts/look/look.ts'
import { reportProblem } from '../../parts/api/problems.ts'
import { useSession } from '../../parts/session/session.ts'
import { keepLanguage } from './kept-language.ts'

/** Keeps the language that the person changes to; it was fetched before the portal was drawn (T-04). */
export function LocalePreference() {
  const { organization } = useSession()
  const { language } = useLook()
  const known = useRef(language)
  useEffect(() => {
    if (known.current === language) return
    known.current = language
    keepLanguage(organization.resourceId, language).catch((cause: unknown) =>
      reportProblem('The language could not be kept', cause),
    )
  }, [language, organization.resourceId])
  return null
}
