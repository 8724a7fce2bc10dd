import { useWords, type Translate } from '@longreach/ui/use-words'
import { useCallback } from 'react'

type Described = { name: string; owner: string; description: string }

const readyRoles = [
  'app_owner',
  'app_administrator',
  'data_administrator',
  'app_operator',
  'app_viewer',
  'app_service-engineer',
  'app_dealer',
  'app_auditor',
] as const

/** Name of a ready-made role; undefined for an own one. */
const readyRoleOf = ({ name, owner }: { name: string; owner: string }) =>
  owner === 'SYSTEM' ? readyRoles.find((one) => one === name) : undefined

/** Description of a role: a ready-made one in the person's language, an own one as written. Needs the words of `access`. */
export function useRoleText() {
  const t = useWords()
  return useCallback(
    (role: Described) => {
      const ready = readyRoleOf(role)
      return ready ? t(`access.ready.${ready}`) : role.description
    },
    [t],
  )
}

/** Adds the label to each role of a page: a ready-made one in the person's language, an own one as written. */
export function useRoleLabels() {
  const t = useWords()
  return useCallback(
    <R extends Named>(page: { content: readonly R[] }) => ({
      ...page,
      content: page.content.map((role) => ({ ...role, label: labelOf(t, role) })),
    }),
    [t],
  )
}

/** Label of one role. */
export function useRoleLabel() {
  const t = useWords()
  return useCallback((role: Named) => labelOf(t, role), [t])
}

type Named = { name: string; owner: string; label: string }

/** Label of a role: a ready-made one in the person's language, an own one as written. */
export function labelOf(t: Translate, role: Named) {
  const ready = readyRoleOf(role)
  return ready ? t(`shell.role.${ready}`) : role.label
}
