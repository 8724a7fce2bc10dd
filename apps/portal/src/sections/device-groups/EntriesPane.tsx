import { type Action, actions as allActions } from '@longreach/authorization/permissions'
import { Panel } from '@longreach/ui/PageHeader'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Checkbox } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCpu,
  IconShieldLock,
  IconUser,
  IconUsers,
  IconX,
} from '@tabler/icons-react'
import { useState } from 'react'
import classes from './device-groups.module.css'
import { carriesEntries, droppedEntries } from './drag.ts'
import type { Entry, Kind, Shown } from './draft-rules.ts'

type Props = {
  shown: readonly Shown[]
  reasonFor: (kind: Kind) => string | undefined
  onDrop: (entries: readonly Entry[]) => void
  onOut: (entry: Entry) => void
  onBack: (entry: Entry) => void
  onActions: (entry: Entry, actions: readonly Action[]) => void
}

/** The group: who is limited to it, and which devices it holds; with what is about to change. */
export function EntriesPane({ shown, onDrop, ...rest }: Props) {
  const t = useWords()
  const [over, setOver] = useState(false)
  const who = shown.filter(({ kind }) => kind !== 'device')
  const devices = shown.filter(({ kind }) => kind === 'device')
  return (
    <div
      className={classes.target}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!carriesEntries(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onDrop(droppedEntries(event))
      }}
    >
      <Panel title={t('device-groups.limited', { count: who.length })}>
        <p className={classes.hint}>{t('device-groups.limitedText')}</p>
        <Entries {...rest} entries={who} empty={t('device-groups.limitedNone')} />
      </Panel>
      <Panel title={t('device-groups.holds', { count: devices.length })}>
        <Entries {...rest} entries={devices} empty={t('device-groups.holdsNone')} />
      </Panel>
    </div>
  )
}

type EntriesProps = Omit<Props, 'shown' | 'onDrop'> & { entries: readonly Shown[]; empty: string }

function Entries({ entries, empty, ...rest }: EntriesProps) {
  if (entries.length === 0) return <p className={classes.nothing}>{empty}</p>
  return (
    <ul className={classes.entries}>
      {entries.map((entry) => (
        <One key={`${entry.kind} ${entry.id}`} entry={entry} {...rest} />
      ))}
    </ul>
  )
}

const icons = { person: IconUser, userGroup: IconUsers, role: IconShieldLock, device: IconCpu }
const tones = { new: 'ok', changed: 'warning', gone: 'alarm' } as const

type EntryProps = Omit<EntriesProps, 'entries' | 'empty'> & { entry: Shown }

function One({ entry, reasonFor, onOut, onBack, onActions }: EntryProps) {
  const t = useWords()
  const { kind, label, state } = entry
  const Icon = icons[kind]
  const reason = reasonFor(kind)
  const undo = state === 'gone' || state === 'changed'
  return (
    <li className={classes.entry} data-state={state}>
      <div className={classes.entryLine}>
        <Icon size={15} stroke={1.6} aria-label={t(`device-groups.one.${kind}`)} />
        <span className={classes.entryName}>{label}</span>
        {state !== 'kept' && <Tag tone={tones[state]}>{t(`device-groups.state.${state}`)}</Tag>}
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          disabled={reason !== undefined}
          {...(reason !== undefined && { title: reason })}
          aria-label={t(undo ? 'device-groups.putBack' : 'device-groups.takeOut', { name: label })}
          onClick={() => (undo ? onBack(entry) : onOut(entry))}
        >
          {undo ? <IconArrowBackUp size={14} /> : <IconX size={14} />}
        </ActionIcon>
      </div>
      {kind === 'role' && state !== 'gone' && (
        <RoleActions
          entry={entry}
          disabled={reason !== undefined}
          onChange={(next) => onActions(entry, next)}
        />
      )}
    </li>
  )
}

const onDevices = allActions.filter((action) =>
  ['read', 'update', 'delete', 'access'].includes(action),
)

type RoleActionsProps = {
  entry: Shown
  disabled: boolean
  onChange: (actions: readonly Action[]) => void
}

/** Actions that the role gives on the devices of this group. */
function RoleActions({ entry: { label, actions = [] }, disabled, onChange }: RoleActionsProps) {
  const t = useWords()
  return (
    <div className={classes.roleActions}>
      {onDevices.map((action) => (
        <Checkbox
          key={action}
          size="xs"
          label={t(`access.action.${action}`)}
          aria-label={`${label}: ${t(`access.action.${action}`)}`}
          disabled={disabled}
          checked={actions.includes(action)}
          onChange={(event) =>
            onChange(
              event.currentTarget.checked
                ? [...actions, action]
                : actions.filter((one) => one !== action),
            )
          }
        />
      ))}
    </div>
  )
}
