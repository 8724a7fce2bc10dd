import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '../../parts/session/session.ts'
import { type Listed, useRoles } from './people-calls.ts'
import classes from './permission.module.css'

/** A role that some of the selected people get, or lose. */
export type RoleChange = { role: number; give: boolean; people: readonly Listed[] }
type Props = { people: readonly Listed[]; onChange: (change: RoleChange) => void }

/** Gives a role to several people or takes it from them, after saying for whom that changes something. */
export function BulkRoles({ people, onChange }: Props) {
  const t = useWords()
  const may = useMay()
  const known = useRoles().data?.content ?? []
  const [asked, setAsked] = useState<{ role: number; label: string; give: boolean }>()
  if (!may('usergroups:update') || known.length === 0) return null
  const select = (give: boolean) => (
    <Select
      // The dialog that follows gives the focus back.
      openOnFocus={false}
      className={classes.filter}
      aria-label={t(give ? 'permission.addRole' : 'permission.removeRole')}
      placeholder={t(give ? 'permission.addRole' : 'permission.removeRole')}
      searchable
      value={null}
      data={known.map(({ id, label }) => ({ value: String(id), label }))}
      onChange={(_, option) =>
        option && setAsked({ role: Number(option.value), label: option.label, give })
      }
    />
  )
  return (
    <>
      {select(true)}
      {select(false)}
      {asked && (
        <ConfirmRoles
          {...asked}
          people={people}
          onClose={() => setAsked(undefined)}
          onConfirm={(some) => {
            setAsked(undefined)
            onChange({ role: asked.role, give: asked.give, people: some })
          }}
        />
      )}
    </>
  )
}

type ConfirmProps = {
  role: number
  label: string
  give: boolean
  people: readonly Listed[]
  onConfirm: (people: readonly Listed[]) => void
  onClose: () => void
}

function ConfirmRoles({ role, label, give, people, onConfirm, onClose }: ConfirmProps) {
  const t = useWords()
  const has = ({ roles = [] }: Listed) => roles.some(({ id, own }) => own && id === role)
  const some = people.filter((one) => one.ownGroup !== undefined && has(one) !== give)
  const alone = ({ roles = [] }: Listed) => roles.every(({ id, own }) => id === role && own)
  const without = give ? 0 : some.filter(alone).length
  const word = give ? 'permission.bulkGiveTitle' : 'permission.bulkTakeTitle'
  return (
    <ConfirmDialog
      title={t(word, { role: label, count: some.length })}
      verb={t(give ? 'permission.addRole' : 'permission.removeRole')}
      danger={!give}
      pending={false}
      error={undefined}
      onConfirm={() => onConfirm(some)}
      onClose={onClose}
    >
      <p className={classes.text}>
        {t('permission.bulkSame', { count: people.length - some.length })}
      </p>
      {without > 0 && (
        <p className={classes.text}>{t('permission.bulkWithout', { count: without })}</p>
      )}
    </ConfirmDialog>
  )
}
