import { ActionButton } from '@longreach/ui/ActionButton'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { ListSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { Candidate } from './Candidate.tsx'
import classes from './device-groups.module.css'
import { type Draft, type Entry, isSame, type Kind } from './draft-rules.ts'
import { useCandidates } from './group-calls.ts'

type Props = {
  kinds: readonly Kind[]
  entries: readonly Entry[]
  draft: Draft
  reasonFor: (kind: Kind) => string | undefined
  onPut: (entries: readonly Entry[]) => void
}

const readRight = {
  person: 'users:read',
  userGroup: 'usergroups:read',
  role: 'roles:read',
  device: 'devices:read',
} as const

/** Pane of the entries that can be put into the group: searched, opened, ticked, dragged or added. */
export function CandidatePane({ kinds, entries, draft, reasonFor, onPut }: Props) {
  const t = useWords()
  const may = useMay()
  const seen = kinds.filter((kind) => may(readRight[kind]))
  const [kind, setKind] = useState(seen[0] ?? 'device')
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const [chosen, setChosen] = useState<readonly Entry[]>([])
  const { data, error } = useCandidates(kind, search)
  const isIn = (entry: Entry) =>
    draft.put.some((one) => isSame(one, entry)) ||
    (entries.some((one) => isSame(one, entry)) && !draft.out.some((one) => isSame(one, entry)))
  const picked = chosen.filter((entry) => entry.kind === kind && !isIn(entry))
  const reason = reasonFor(kind)
  const add = (some: readonly Entry[]) => {
    onPut(some)
    setChosen([])
  }
  const title = kinds.length === 1 ? t('device-groups.devices') : t('device-groups.who')
  if (seen.length === 0) return <Panel title={title}>{t('device-groups.noneSeen')}</Panel>
  return (
    <Panel
      title={title}
      beside={
        <ActionButton
          reason={reason}
          size="compact-sm"
          variant="light"
          leftSection={<IconPlus size={14} />}
          idle={picked.length === 0}
          onClick={() => add(picked)}
        >
          {t('device-groups.add', { count: picked.length })}
        </ActionButton>
      }
    >
      <div className={classes.paneTools}>
        {seen.length > 1 && (
          <SegmentedControl
            fullWidth
            size="xs"
            value={kind}
            data={seen.map((value) => ({ value, label: t(`device-groups.kind.${value}`) }))}
            onChange={(next) => setKind(next)}
          />
        )}
        <TextInput
          size="xs"
          type="search"
          aria-label={t('device-groups.searchIn', { what: t(`device-groups.kind.${kind}`) })}
          placeholder={t('device-groups.searchIn', { what: t(`device-groups.kind.${kind}`) })}
          leftSection={<IconSearch size={14} stroke={1.6} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {kind === 'role' && <span className={classes.dim}>{t('device-groups.ownRoles')}</span>}
      </div>
      <Found error={error} count={data?.length}>
        {data?.map((entry) => (
          <Candidate
            key={`${entry.kind} ${entry.id}`}
            entry={entry}
            inside={isIn(entry)}
            reason={reason}
            checked={picked.some((one) => isSame(one, entry))}
            dragged={picked.some((one) => isSame(one, entry)) ? picked : [entry]}
            onCheck={(on) =>
              setChosen(on ? [...picked, entry] : picked.filter((one) => !isSame(one, entry)))
            }
            onAdd={() => add([entry])}
          />
        ))}
      </Found>
    </Panel>
  )
}

type FoundProps = { error: Error | null; count: number | undefined; children: ReactNode }

/** The lines that were found, or why there are none. */
function Found({ error, count, children }: FoundProps) {
  const t = useWords()
  const errorText = useErrorText()
  if (error) return <ErrorPanel {...errorText(error)} />
  if (count === undefined) return <ListSkeleton />
  if (count === 0) return <p className={classes.nothing}>{t('device-groups.nothingFound')}</p>
  return <ul className={classes.candidates}>{children}</ul>
}
