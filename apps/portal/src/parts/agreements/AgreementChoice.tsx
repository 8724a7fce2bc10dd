import { Checkbox } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { IconExternalLink } from '@tabler/icons-react'
import { useLook } from '../look/look.ts'
import classes from './AgreementChoice.module.css'
import { type AgreementText, agreementText } from './agreement-rules.ts'

type Props = {
  agreement: AgreementText & { id: number; version: number; acceptanceField: string }
  /** Left out: it is only read. */
  checked?: boolean
  onChange?: (checked: boolean) => void
  error?: string | undefined
}

/** One agreement: what it says, where it stands in full, and the box to tick. */
export function AgreementChoice({ agreement, checked, onChange, error }: Props) {
  const t = useWords()
  const { language } = useLook()
  const { title, text } = agreementText(agreement, language)
  const label = agreement.acceptanceField || t('agreements.accept', { title })
  return (
    <section className={classes.agreement} aria-label={title}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <span className={classes.version}>
          {t('agreements.version', { version: agreement.version })}
        </span>
      </header>
      {text !== '' && (
        // Scrolls by keyboard, too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={classes.text} tabIndex={0} role="region" aria-label={title}>
          {text}
        </div>
      )}
      {agreement.link !== '' && (
        <a className={classes.link} href={agreement.link} target="_blank" rel="noopener noreferrer">
          {t('agreements.inFull')}
          <IconExternalLink size={14} stroke={1.6} aria-hidden />
        </a>
      )}
      {onChange !== undefined && (
        <Checkbox
          size="sm"
          label={label}
          checked={checked === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
          error={error}
          description={agreement.mandatory ? undefined : t('agreements.optional')}
        />
      )}
    </section>
  )
}
