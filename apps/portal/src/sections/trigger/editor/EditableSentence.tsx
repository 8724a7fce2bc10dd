import type { ComponentProps } from 'react'
import { sentenceTokens } from '../sentence/sentence-tokens.ts'
import { TriggerSentence } from '../sentence/TriggerSentence.tsx'
import { useSaying } from '../sentence/use-sentence.ts'
import words from '../../../parts/forms/sentence.module.css'
import { fieldId, useEditedTrigger } from './trigger-context.ts'

type Word = NonNullable<ComponentProps<typeof TriggerSentence>['Word']>

/** Sentence of the edited trigger; each word that stands for a field leads to it. */
export function EditableSentence() {
  const { draft, locked } = useEditedTrigger()
  const tokens = sentenceTokens(draft, useSaying())
  return locked ? (
    <TriggerSentence tokens={tokens} />
  ) : (
    <TriggerSentence tokens={tokens} Word={LeadingWord} />
  )
}

const LeadingWord: Word = ({ token }) => {
  const { faultOf } = useEditedTrigger()
  const fault = faultOf(token.place)
  return (
    <button
      type="button"
      className={words.word}
      data-missing={token.missing || undefined}
      data-fault={fault !== undefined || undefined}
      title={fault}
      onClick={() => goToField(token.place)}
    >
      {token.text}
    </button>
  )
}

/** Puts the focus on the field at a place. */
function goToField(place: string) {
  const element = document.getElementById(fieldId(place))
  const focusable = element?.matches('input, textarea, button')
    ? element
    : (element?.querySelector<HTMLElement>('input, textarea, button') ?? element)
  element?.scrollIntoView({ block: 'center' })
  focusable?.focus({ preventScroll: true })
}
