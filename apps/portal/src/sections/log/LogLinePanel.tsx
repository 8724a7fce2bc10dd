import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { Tag } from '@longreach/ui/StatusDot'
import { useIntl } from 'react-intl'
import { LineAgain } from './LineAgain.tsx'
import type { LineWords, LogLine } from './log-source.ts'

type Props = { line: LogLine; words: LineWords; onClose: () => void }

/** Details of one line. */
export function LogLinePanel({ line, words, onClose }: Props) {
  const { formatDate } = useIntl()
  const { t } = words
  const { who, what, on, state } = line.texts(words)
  const items = [
    {
      label: t('log.time'),
      value: formatDate(line.at, { dateStyle: 'medium', timeStyle: 'medium' }),
    },
    { label: t('whole-log.kind'), value: t(`whole-log.source.${line.source}`) },
    { label: t('whole-log.person'), value: who },
    { label: t('log.on'), value: on },
    { label: t('log.organization'), value: line.organization },
  ]
  const told = Map.groupBy(line.facts(words), ({ label }) => label)
  const facts = [...told].map(([label, list]) => ({
    label: t(label),
    value: list
      .map(({ value }) => value)
      .filter((value) => value !== '')
      .join('; '),
  }))
  return (
    <SidePanel
      title={what}
      facts={state && <Tag tone={state.tone}>{state.text}</Tag>}
      actions={line.again && <LineAgain line={line} t={t} />}
      onClose={onClose}
    >
      <PanelSection title={t('log.details')}>
        <Facts items={[...items, ...facts].filter(({ value }) => value !== '')} />
      </PanelSection>
    </SidePanel>
  )
}
