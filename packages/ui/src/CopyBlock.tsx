import { Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './CopyBlock.module.css'
import { useCopy } from './use-copy.ts'
import { useWords } from './use-words.ts'

type Props = {
  text: string
  /** Name of the copied text, which follows the verb "copy": `Command`. */
  label: string
  /** Of a short text that is read aloud or typed. */
  large?: boolean
}

/** A command, key or file in a box of its own with a large button that copies it; no word of it is broken. */
export function CopyBlock({ text, label, large = false }: Props) {
  const t = useWords()
  const { state, copy } = useCopy()
  return (
    <div className={classes.block}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard */}
      <pre className={classes.text} data-large={large || undefined} aria-label={label} tabIndex={0}>
        <code>
          {text.split(/(\s+)/).map((part, index) =>
            part.trim() === '' ? (
              part
            ) : (
              // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other name
              <span key={index} className={classes.token}>
                {part}
              </span>
            ),
          )}
        </code>
      </pre>
      <Button
        variant="default"
        leftSection={
          state === 'copied' ? <IconCheck size={16} stroke={2} /> : <IconCopy size={16} />
        }
        // The name has the text that is seen, for those who speak to the browser.
        aria-label={state === 'copied' ? undefined : t('ui.copy', { what: label })}
        onClick={() => void copy(text)}
      >
        {state === 'copied' ? t('ui.copied') : t('ui.copyVerb')}
      </Button>
      <span className={classes.told} role="status">
        {state === 'refused' && t('ui.copyRefused')}
      </span>
    </div>
  )
}
