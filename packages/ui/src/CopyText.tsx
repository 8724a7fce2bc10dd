import { UnstyledButton } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './CopyText.module.css'
import { useCopy } from './use-copy.ts'
import { useWords } from './use-words.ts'

type CopyTextProps = {
  text: string
  /** Name of the copied text, for screen readers. */
  label: string
  /** Keep the start and the end of a long text and cut its middle. */
  shorten?: boolean
}

/** An id, key or command in fixed width, with a button that copies all of it. */
export function CopyText({ text, label, shorten = false }: CopyTextProps) {
  const t = useWords()
  const { state, copy } = useCopy()
  return (
    <span className={classes.copy}>
      <code className={classes.text} title={shorten ? text : undefined}>
        {shorten ? shortened(text) : text}
      </code>
      <UnstyledButton
        className={classes.button}
        onClick={() => void copy(text)}
        aria-label={t('ui.copy', { what: label })}
      >
        {state === 'copied' ? (
          <IconCheck size={14} stroke={2} />
        ) : (
          <IconCopy size={14} stroke={1.6} />
        )}
      </UnstyledButton>
      <span className={classes.told} role="status">
        {state === 'copied' && t('ui.copied')}
        {state === 'refused' && t('ui.copyRefused')}
      </span>
    </span>
  )
}

/** `abcdefghijklmnop` as `abcdef…mnop`. */
export const shortened = (text: string) =>
  text.length <= 14 ? text : `${text.slice(0, 7)}…${text.slice(-5)}`
