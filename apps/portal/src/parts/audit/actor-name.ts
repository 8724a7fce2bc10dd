import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'

/** User name of a service account, as in its tokens. */
const ofService = /^service-account-user-service-(?<name>.+)$/

/** Name of an actor for people: a user name, or "service account" and its name. */
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
