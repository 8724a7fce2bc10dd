import { useOptionalWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'

/** `devices:read` in the person's words: `Devices: see`. Needs the words of `access`. */
export function useRightText() {
  const findWords = useOptionalWords()
  return useCallback(
    (permission: string) => {
      const [resource = '', action = ''] = permission.split(':')
      const named = findWords(`access.resource.${resource}`) ?? resource
      return `${named}: ${findWords(`access.action.${action}`) ?? action}`
    },
    [findWords],
  )
}

type Named = { username: string; firstName: string; lastName: string }

/** First and last name, or the user name where there is neither. */
export const personName = ({ username, firstName, lastName }: Named) =>
  `${firstName} ${lastName}`.trim() || username
