import { useToast } from '@longreach/ui/Toasts'
import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Progress, Select } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { BulkRoles, type RoleChange } from './BulkRoles.tsx'
import {
  type Listed,
  peopleChanged,
  type Person,
  personName,
  useGroups,
  useOrg,
} from './people-calls.ts'
import classes from './permission.module.css'

type Failed = { person: Person; message: string }
type Work = { done: number; total: number; failed: Failed[]; finished: boolean }

/** Bar of the actions on several people at once, with their progress and the people for whom they failed. */
export function BulkBar({ people, onDone }: { people: readonly Listed[]; onDone: () => void }) {
  const t = useWords()
  const org = useOrg()
  const may = useMay()
  const [work, run] = useWork(onDone)
  const [removing, setRemoving] = useState(false)
  const groups = useGroups().data?.content ?? []
  const set = (enabled: boolean) =>
    run(people, ({ id }) => api.core.updateUser({ params: { org, user: id }, body: { enabled } }))
  const join = (group: string) =>
    run(people, ({ id }) =>
      api.core.addGroupMember({ params: { org, group, user: id }, query: {} }),
    )
  const changeRoles = ({ role, give, people: some }: RoleChange) =>
    run(some, ({ ownGroup = 0 }: Listed) => {
      const params = { org, group: ownGroup, roles: String(role) }
      return give ? api.core.addGroupRoles({ params }) : api.core.removeGroupRoles({ params })
    })
  return (
    <div className={classes.bulk} role="group" aria-label={t('permission.bulk')}>
      {may('users:update') && (
        <>
          <Button variant="default" onClick={() => void set(false)}>
            {t('permission.disable')}
          </Button>
          <Button variant="default" onClick={() => void set(true)}>
            {t('permission.enable')}
          </Button>
        </>
      )}
      {may('usergroups:update') && groups.length > 0 && (
        <Select
          className={classes.filter}
          aria-label={t('permission.addToGroup')}
          placeholder={t('permission.addToGroup')}
          searchable
          // The dialog of the work gives the focus back.
          openOnFocus={false}
          value={null}
          data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(group) => group !== null && void join(group)}
        />
      )}
      <BulkRoles people={people} onChange={(change) => void changeRoles(change)} />
      {may('users:delete') && (
        <Button variant="default" onClick={() => setRemoving(true)}>
          {t('permission.remove')}
        </Button>
      )}
      {removing && (
        <RemoveDialog
          people={people}
          onClose={() => setRemoving(false)}
          onConfirm={() => {
            setRemoving(false)
            void run(people, ({ id }) => api.core.deleteUser({ params: { org, user: id } }))
          }}
        />
      )}
      {work && <WorkDialog work={work} onClose={onDone} />}
    </div>
  )
}

type RemoveProps = { people: readonly Listed[]; onClose: () => void; onConfirm: () => void }

/** One person is confirmed by their name, several by their number. */
function RemoveDialog({ people, onClose, onConfirm }: RemoveProps) {
  const t = useWords()
  const [only] = people.length === 1 ? people : []
  return (
    <ConfirmDialog
      title={
        only
          ? t('permission.removeTitle', { name: personName(only) })
          : t('permission.removeManyTitle', { count: people.length })
      }
      verb={t('permission.remove')}
      danger
      typed={only?.username ?? String(people.length)}
      pending={false}
      error={undefined}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p className={classes.text}>{t('permission.removeText')}</p>
    </ConfirmDialog>
  )
}

/** Runs one call for each person, a few at once, and keeps count. */
function useWork(onDone: () => void) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const [work, setWork] = useState<Work>()
  const run = async (people: readonly Listed[], call: (person: Listed) => Promise<unknown>) => {
    const failed: Failed[] = []
    const queue = [...people]
    let done = 0
    const tell = (finished: boolean) =>
      setWork({ done, total: people.length, failed: [...failed], finished })
    tell(false)
    const worker = async () => {
      for (let person = queue.shift(); person; person = queue.shift()) {
        const one = person
        await call(one).catch((error: unknown) => {
          failed.push({ person: one, message: errorText(error).message })
        })
        done += 1
        tell(false)
      }
    }
    await Promise.all([worker(), worker(), worker()])
    await peopleChanged()
    if (failed.length > 0) return tell(true)
    setWork(undefined)
    toast({ message: t('permission.bulkDone', { count: people.length }) })
    onDone()
  }
  return [work, run] as const
}

function WorkDialog({ work, onClose }: { work: Work; onClose: () => void }) {
  const t = useWords()
  const { done, total, failed, finished } = work
  return (
    <Dialog
      title={t('permission.bulkProgress', { done, total })}
      withCloseButton={finished}
      closeOnClickOutside={false}
      closeOnEscape={finished}
      onClose={onClose}
    >
      <div className={classes.form}>
        <Progress
          value={(100 * done) / total}
          aria-label={t('permission.bulkProgress', { done, total })}
        />
        {failed.length > 0 && (
          <>
            <ErrorPanel message={t('permission.bulkFailed', { count: failed.length })} />
            <ul className={classes.list}>
              {failed.map(({ person, message }) => (
                <li key={person.id}>
                  <span className={classes.grow}>
                    <strong>{personName(person)}</strong> {message}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}
