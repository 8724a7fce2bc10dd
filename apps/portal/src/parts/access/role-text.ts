import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'

type Described = { name: string; owner: string; description: string }

const told: ReadonlySet<string> = new Set([
  'app_owner',
  'app_administrator',
  'data_administrator',
  'app_operator',
  'app_viewer',
  'app_service-engineer',
  'app_dealer',
  'app_auditor',
])

/** Description of a role: a ready-made one in the person's language, an own one as written. Needs the words of `access`. */
export function useRoleText() {
  const t = useWords()
  return useCallback(
    ({ name, owner, description }: Described) =>
      owner === 'SYSTEM' && told.has(name) ? t(`access.ready.${name}`) : description,
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

/** The same for one role. */
export function useRoleLabel() {
  const t = useWords()
  return useCallback((role: Named) => labelOf(t, role), [t])
}

type Named = { name: string; owner: string; label: string }

export const labelOf = (t: ReturnType<typeof useWords>, { name, owner, label }: Named) =>
  owner === 'SYSTEM' && told.has(name) ? t(`shell.role.${name}`) : label
