import { useEffect, useRef } from 'react'
import { api } from '../lib/api.ts'
import { expandLocale, languageOf } from '../lib/locale-rules.ts'
import { useLook } from '../lib/look.ts'
import { reportProblem } from '../lib/problems.ts'
import { useSession } from '../lib/session.ts'

const serviceName = 'locale'

/** The person's language: read from their preferences once, kept there when it is absent or changes (T-04). */
export function LocalePreference() {
  const { organization } = useSession()
  const { language, setLanguage } = useLook()
  const known = useRef<string>(undefined)
  const asked = useRef(false)
  useEffect(() => {
    const save = async () => {
      known.current = language
      const body = { serviceName, value: expandLocale(language) }
      await api.core.setUserPreference({ params: { org: organization.resourceId }, body })
    }
    const settle = async () => {
      const query = { serviceName }
      const kept = await api.core.userPreferences({
        params: { org: organization.resourceId },
        query,
      })
      const wished = languageOf(kept[0]?.value)
      if (wished === undefined) return save()
      known.current = wished
      if (wished !== language) await setLanguage(wished)
    }
    const failed = (cause: unknown) => reportProblem('The language could not be kept', cause)
    if (!asked.current) {
      asked.current = true
      settle().catch(failed)
    } else if (known.current !== undefined && known.current !== language) {
      save().catch(failed)
    }
  }, [language, setLanguage, organization.resourceId])
  return null
}
