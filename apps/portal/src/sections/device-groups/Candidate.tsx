import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Checkbox } from '@mantine/core'
import { IconCheck, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CandidateDetail } from './CandidateDetail.tsx'
import classes from './device-groups.module.css'
import { dragEntries } from './drag.ts'
import type { Entry } from './draft-rules.ts'

type Props = {
  entry: Entry
  /** It is in the group, or will be. */
  inside: boolean
  reason: string | undefined
  checked: boolean
  /** Entries that a drag of this one carries. */
  dragged: readonly Entry[]
  onCheck: (on: boolean) => void
  onAdd: () => void
}

/** One line of a pane: expand, tick, name, add. */
export function Candidate(props: Props) {
  const { entry, inside, reason, checked, dragged, onCheck, onAdd } = props
  const t = useWords()
  const [open, setOpen] = useState(false)
  const free = !inside && reason === undefined
  return (
    <li className={classes.candidate}>
      <div
        className={classes.candidateLine}
        draggable={free}
        onDragStart={(event) => dragEntries(event, dragged)}
        onDoubleClick={() => free && onAdd()}
      >
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-expanded={open}
          aria-label={t('device-groups.expand', { name: entry.label })}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={14} className={classes.chevron} data-open={open || undefined} />
        </ActionIcon>
        <Checkbox
          size="xs"
          className={classes.candidateName}
          label={entry.label}
          disabled={!free}
          checked={checked}
          onChange={(event) => onCheck(event.currentTarget.checked)}
        />
        {inside ? (
          <span className={classes.inside}>
            <IconCheck size={13} /> {t('device-groups.inside')}
          </span>
        ) : (
          <ActionIcon
            size="sm"
            variant="subtle"
            disabled={!free}
            aria-label={t('device-groups.addOne', { name: entry.label })}
            onClick={onAdd}
          >
            <IconPlus size={14} />
          </ActionIcon>
        )}
      </div>
      {open && <CandidateDetail entry={entry} />}
    </li>
  )
}
