import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'

/** `devices:read` in the person's words: `Devices: see`. Needs the words of `access`. */
export function useRightText() {
  const t = useWords()
  return useCallback(
    (permission: string) => {
      const [resource = '', action = ''] = permission.split(':')
      return `${t(`access.resource.${resource}`)}: ${t(`access.action.${action}`)}`
    },
    [t],
  )
}

type Named = { username: string; firstName: string; lastName: string }

/** First and last name, or the user name where there is neither. */
export const personName = ({ username, firstName, lastName }: Named) =>
  `${firstName} ${lastName}`.trim() || username
