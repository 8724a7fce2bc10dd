import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { Organization } from '../../parts/session/session.ts'
import { dependenciesQuery, organizationsChanged, parentOf } from './organization-calls.ts'
import classes from './DeleteOrganizationDialog.module.css'

const deletedKinds = [
  'organizations',
  'devices',
  'people',
  'accounts',
  'keys',
  'roles',
  'userGroups',
  'deviceGroups',
] as const

type Props = { organization: Organization; onClose: () => void; onDeleted: () => void }

/** Deletes an organization after naming what goes with it; for 30 days it can be brought back. */
export function DeleteOrganizationDialog({ organization, onClose, onDeleted }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const { id, resourceId, label } = organization
  const parent = parentOf(resourceId)
  const { data, error: unknown } = useQuery({ ...dependenciesQuery(resourceId), staleTime: 0 })
  const undo = async () => {
    if (parent === undefined) return
    await api.core.restoreOrganization({ params: { org: parent, deleted: id } })
    await organizationsChanged()
  }
  const remove = useMutation({
    mutationFn: () =>
      api.core.deleteOrganization({
        params: { org: resourceId },
        query: { cascade: (data?.organizations ?? 0) > 0 },
      }),
    onSuccess: async () => {
      onDeleted()
      onClose()
      const failed = (cause: unknown) =>
        toast({ kind: 'failed', message: errorText(cause).message })
      toast({
        message: t('organizations.deleted', { label }),
        action: { label: t('organizations.undo'), run: () => void undo().catch(failed) },
      })
      await organizationsChanged()
    },
  })
  const goes = data ? deletedKinds.filter((name) => data[name] > 0) : []
  const error = remove.error ?? unknown
  return (
    <ConfirmDialog
      title={t('organizations.deleteTitle', { label })}
      verb={t('organizations.delete')}
      danger
      typed={label}
      pending={remove.isPending || data === undefined}
      error={error ? errorText(error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('organizations.deleteText')}</p>
      {goes.length > 0 && (
        <ul className={classes.goes} aria-label={t('organizations.goesWithIt')}>
          {goes.map((name) => (
            <li key={name}>
              {t(`organizations.goes.${name}`, { count: data?.[name] ?? 0 })}
              {name === 'organizations' && `: ${data?.named.join(', ')}`}
              {name === 'organizations' &&
                (data?.organizations ?? 0) > (data?.named.length ?? 0) &&
                ' …'}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  )
}
