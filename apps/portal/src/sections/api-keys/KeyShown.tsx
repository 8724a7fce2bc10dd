import { CopyText } from '@longreach/ui/CopyText'
import { useWords } from '@longreach/ui/use-words'
import { Alert, Button, Group } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ApiKey } from './api-key-calls.ts'
import classes from './api-keys.module.css'

/** The key, this once, and how a program uses it. */
export function KeyShown({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useWords()
  const example = [
    `curl -H 'X-Api-Key: ${apiKey.key}' \\`,
    `  '${location.origin}/svc/mappings/api/v1/devices?organization=${apiKey.orgResourceId}'`,
  ].join('\n')
  return (
    <div className={classes.shownKey}>
      <Alert color="orange" icon={<IconAlertTriangle size={18} />}>
        <strong>{t('api-keys.onceTitle')}.</strong> {t('api-keys.onceText')}
      </Alert>
      <div className={classes.secret}>
        <CopyText text={apiKey.key} label={t('api-keys.key')} />
      </div>
      <p className={classes.text}>{t('api-keys.exampleText')}</p>
      <div className={classes.example}>
        <CopyText text={example} label={t('api-keys.example')} />
      </div>
      <Group justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {t('api-keys.copied')}
        </Button>
      </Group>
    </div>
  )
}
