import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'

/** What stands before the name of a service account in its tokens. */
const ofService = /^service-account-user-service-(?<name>.+)$/

/** Who did something, as a person reads it: a user name, or that a service account did it, and which. */
export function useActorName() {
  const t = useWords()
  return useCallback(
    (username: string) => {
      const name = ofService.exec(username)?.groups?.['name']
      return name === undefined ? username : t('shell.serviceAccount', { name })
    },
    [t],
  )
}
