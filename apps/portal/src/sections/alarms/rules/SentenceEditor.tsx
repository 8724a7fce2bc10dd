import { Popover } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import type { ReactNode } from 'react'
import { useEditing } from './rule-context.ts'
import { FieldAt } from './RuleField.tsx'
import { RuleSentence } from './RuleSentence.tsx'
import { sentenceClasses as classes } from './rule-classes.ts'

/** Fields that have no small editor: a press leads to their part of the form. */
const inForm = ['unless', 'schedule', 'quality', 'when.status', 'when.source']

/** Sentence of the edited rule, whose words are its fields. */
export function SentenceEditor() {
  const { rule, locked } = useEditing()
  return locked ? <RuleSentence rule={rule} /> : <RuleSentence rule={rule} Word={EditableWord} />
}

type Props = { place: string; children: ReactNode; empty?: boolean }

function EditableWord({ place, children, empty = false }: Props) {
  const t = useWords()
  const { faultOf } = useEditing()
  const fault = faultOf(place)
  const look = {
    type: 'button' as const,
    className: classes.word,
    'data-empty': empty || undefined,
    'data-fault': fault !== undefined || undefined,
    title: fault,
  }
  if (inForm.includes(place)) {
    return (
      <button {...look} onClick={() => goTo(place)}>
        {children}
      </button>
    )
  }
  return (
    <Popover trapFocus returnFocus withArrow shadow="md" position="bottom-start">
      <Popover.Target>
        <button {...look}>{children}</button>
      </Popover.Target>
      <Popover.Dropdown className={classes.popover} aria-label={t('alarm-rules.change')}>
        <FieldAt place={place} />
      </Popover.Dropdown>
    </Popover>
  )
}

function goTo(place: string) {
  const part = document.getElementById(`rule-${place.split('.')[0]}`)
  part?.scrollIntoView({ block: 'start' })
  part?.querySelector<HTMLElement>('input, button, select, textarea')?.focus()
}
