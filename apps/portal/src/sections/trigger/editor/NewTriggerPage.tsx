import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { Breadcrumb } from '../../../parts/pages/Breadcrumb.tsx'
import { newTrigger } from './trigger-draft.ts'
import { TriggerEditor } from './TriggerEditor.tsx'

/** A new trigger; its messages are in the language and zone of who makes it. */
export function Component() {
  const t = useWords()
  const { locale } = useIntl()
  const [start] = useState(() => newTrigger(usualZone(), locale.slice(0, 2)))
  return (
    <Page>
      <PageHeader
        title={t('trigger.new')}
        trail={<Breadcrumb to="/trigger" section="trigger" />}
        help={t('trigger-editor.help')}
      />
      <TriggerEditor start={start} locked={false} />
    </Page>
  )
}
