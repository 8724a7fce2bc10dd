import type { Permission } from '@longreach/authorization/permissions'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, Input } from '@mantine/core'
import { useId } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { usePossibleScopes } from './api-key-calls.ts'
import classes from './api-keys.module.css'
import { actionOf, byResource, offeredScopes, onlySeeing } from './scope-rules.ts'

type Props = {
  available: ReturnType<typeof usePossibleScopes>
  chosen: ReadonlySet<Permission>
  error: string | undefined
  onChange: (chosen: ReadonlySet<Permission>) => void
}

/** Choice of the key's actions, among those that its owner may do. */
export function ScopeChoice({ available: { data, ...asked }, chosen, error, onChange }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const id = useId()
  const available = offeredScopes(data ?? [])
  const set = (right: Permission, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(right)
    else next.delete(right)
    onChange(next)
  }
  const quick = (label: string, rights: ReadonlySet<Permission>) => (
    <Button size="compact-sm" variant="default" onClick={() => onChange(rights)}>
      {label}
    </Button>
  )
  if (asked.error)
    return <ErrorPanel {...errorText(asked.error)} onRetry={() => void asked.refetch()} />
  if (asked.isPending) return <ListSkeleton />
  return (
    <div role="group" aria-labelledby={id}>
      <div className={classes.scopeHead}>
        <span id={id} className={classes.legend}>
          {t('api-keys.scopes')}
        </span>
        {quick(t('api-keys.onlySee'), onlySeeing(available))}
        {quick(t('api-keys.everything'), new Set(available))}
        {quick(t('api-keys.nothing'), new Set())}
      </div>
      <div className={classes.choice}>
        {byResource(available).map(({ resource, rights }) => (
          <div key={resource} className={classes.choiceRow}>
            <span className={classes.resource}>{t(`access.resource.${resource}`)}</span>
            <span className={classes.actions}>
              {rights.map((right) => {
                const action = t(`access.action.${actionOf(right)}`)
                return (
                  <Checkbox
                    key={right}
                    size="xs"
                    label={action}
                    aria-label={`${t(`access.resource.${resource}`)}: ${action}`}
                    checked={chosen.has(right)}
                    onChange={(event) => set(right, event.currentTarget.checked)}
                  />
                )
              })}
            </span>
          </div>
        ))}
      </div>
      {error !== undefined && <Input.Error mt={4}>{error}</Input.Error>}
    </div>
  )
}
