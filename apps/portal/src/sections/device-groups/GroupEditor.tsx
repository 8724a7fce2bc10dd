import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { CandidatePane } from './CandidatePane.tsx'
import classes from './device-groups.module.css'
import {
  asBefore,
  countChanges,
  type Draft,
  type Entry,
  type Kind,
  noChange,
  shownEntries,
  withActions,
  withOut,
  withPut,
} from './draft-rules.ts'
import { EntriesPane } from './EntriesPane.tsx'
import { type DeviceGroup, groupsChanged } from './group-calls.ts'
import { type Fault, saveDraft } from './save-draft.ts'
import { useDraft } from './use-draft.ts'

type Props = { group: Pick<DeviceGroup, 'id' | 'type'>; entries: readonly Entry[] }

/** People left, devices right, the group in the middle; nothing is done before it is saved. */
export function GroupEditor({ group, entries }: Props) {
  const t = useWords()
  const toast = useToast()
  const org = useSession().organization.resourceId
  const policy = String(group.id)
  const [draft, setDraft] = useDraft(org, policy)
  const reasonFor = useReasons(group)
  const save = useMutation({
    mutationFn: () => saveDraft({ org, policy }, draft),
    onSuccess: async (faults) => {
      await groupsChanged()
      setDraft(failedOf(draft, faults))
      if (faults.length === 0) toast({ message: t('device-groups.saved') })
    },
  })
  const put = (some: readonly Entry[]) =>
    setDraft(
      withPut(
        draft,
        some.filter(({ kind }) => reasonFor(kind) === undefined),
        entries,
      ),
    )
  const changes = countChanges(draft)
  const panes = { entries, draft, reasonFor, onPut: put }
  return (
    <>
      <div className={classes.editor}>
        <CandidatePane kinds={['person', 'userGroup', 'role']} {...panes} />
        <EntriesPane
          shown={shownEntries(draft, entries)}
          reasonFor={reasonFor}
          onDrop={put}
          onOut={(entry) => setDraft(withOut(draft, entry, entries))}
          onBack={(entry) => setDraft(asBefore(draft, entry))}
          onActions={(entry, actions) => setDraft(withActions(draft, entry, actions, entries))}
        />
        <CandidatePane kinds={['device']} {...panes} />
      </div>
      {changes > 0 && (
        <section className={classes.saveBar} aria-label={t('device-groups.unsaved')}>
          {save.data && save.data.length > 0 && <Faults faults={save.data} />}
          <div className={classes.saveLine}>
            <span className={classes.saveText} role="status">
              {t('device-groups.changes', { count: changes })}
            </span>
            <Button
              variant="default"
              onClick={() => {
                setDraft(noChange)
                toast({
                  message: t('device-groups.discarded'),
                  action: { label: t('device-groups.undo'), run: () => setDraft(draft) },
                })
              }}
            >
              {t('device-groups.discard')}
            </Button>
            <Button loading={save.isPending} onClick={() => save.mutate()}>
              {t('device-groups.save')}
            </Button>
          </div>
        </section>
      )}
    </>
  )
}

function Faults({ faults }: { faults: readonly Fault[] }) {
  const errorText = useErrorText()
  const byMessage = Map.groupBy(faults, ({ error }) => {
    const { message, fields } = errorText(error)
    return Object.values(fields)[0] ?? message
  })
  return [...byMessage].map(([message, some]) => (
    <ErrorPanel
      key={message}
      message={`${some.map(({ entry }) => entry.label).join(', ')}: ${message}`}
    />
  ))
}

/** Draft of the changes that failed, to be tried again. */
const failedOf = (draft: Draft, faults: readonly Fault[]): Draft => {
  const failed = (entries: readonly Entry[]) =>
    entries.filter((entry) =>
      faults.some((fault) => fault.entry.id === entry.id && fault.entry.kind === entry.kind),
    )
  return { put: failed(draft.put), out: failed(draft.out) }
}

/** Why entries of a kind may not be put in or taken out; undefined: they may. */
function useReasons({ type }: Pick<DeviceGroup, 'type'>) {
  const t = useWords()
  const may = useMay()
  return (kind: Kind) => {
    if (kind === 'device') {
      if (type !== 'STANDARD') return t('device-groups.followsDevices')
      return may('devicegroups:update') ? undefined : t('device-groups.mayNotChange')
    }
    const rights = {
      person: 'users:update',
      userGroup: 'usergroups:update',
      role: 'roles:update',
    } as const
    return may(rights[kind]) ? undefined : t(`device-groups.mayNot.${kind}`)
  }
}
