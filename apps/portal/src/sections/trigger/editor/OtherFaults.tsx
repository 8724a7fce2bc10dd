import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { useRightText } from '../../../parts/access/right-text.ts'
import { ChainText } from '../ChainText.tsx'
import type { ChainLink } from '../trigger-calls.ts'
import { classes } from './editor-classes.ts'
import type { MissingRight } from './use-trigger-faults.ts'

type Props = {
  /** Faults at places for which there is no field. */
  others: readonly string[]
  chain: readonly ChainLink[]
  missing: readonly MissingRight[]
}

/** Faults of the whole trigger: what has no field, the loop that it would close, the rights that are lacking. */
export function OtherFaults({ others, chain, missing }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  const rightText = useRightText()
  const rights = missing.flatMap(({ permission }) =>
    permission === undefined ? [] : [rightText(permission)],
  )
  return (
    <>
      {others.length > 0 && <ErrorPanel message={[...new Set(others)].join(' ')} />}
      {chain.length > 0 && (
        <div role="alert" className={classes.loop}>
          <strong>{t('trigger-editor.loop')}</strong>
          <ChainText chain={chain} />
        </div>
      )}
      {rights.length > 0 && (
        <ErrorPanel
          message={t('trigger-editor.beyondRights', {
            rights: new Intl.ListFormat(locale).format(new Set(rights)),
          })}
        />
      )}
    </>
  )
}
