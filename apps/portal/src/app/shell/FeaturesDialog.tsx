import { Dialog } from '@longreach/ui/Dialog'
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { type FormEvent, useState } from 'react'
import type { FeatureName } from '../../parts/session/feature-rules.ts'
import { chooseFeatures, featuresOffered, featuresOn } from '../../parts/session/features.ts'

/** Choose the experimental features of this browser. */
export function FeaturesDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [chosen, setChosen] = useState<readonly string[]>(featuresOn)
  const save = (event: FormEvent) => {
    event.preventDefault()
    chooseFeatures(featuresOffered().filter((name) => chosen.includes(name)))
  }
  return (
    <Dialog onClose={onClose} title={t('features.title')}>
      <form onSubmit={save}>
        <Stack gap="md">
          <Text size="sm">{t('features.question')}</Text>
          <Checkbox.Group value={[...chosen]} onChange={setChosen}>
            <Stack gap="xs">
              {featuresOffered().map((name: FeatureName) => (
                <Checkbox
                  key={name}
                  value={name}
                  label={t(`features.${name}`)}
                  description={<code>{name}</code>}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('ui.cancel')}
            </Button>
            <Button type="submit">{t('features.save')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
