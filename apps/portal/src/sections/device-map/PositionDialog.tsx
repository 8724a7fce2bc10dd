import { type MessageId, useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { Device } from './map-calls.ts'
import { degreesOf } from './map-url-rules.ts'
import { type Spot, usePlacing } from './use-placing.ts'

/** The position of a device by its coordinates. */
export function PositionDialog({ device, onClose }: { device: Device; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const place = usePlacing()
  const { position } = device
  const [lat, setLat] = useState(position ? String(position.lat) : '')
  const [lon, setLon] = useState(position ? String(position.lon) : '')
  const [tried, setTried] = useState(false)
  const spot = { lat: degreesOf(lat, 90), lon: degreesOf(lon, 180) }
  const save = useMutation({
    mutationFn: (to: Spot) => {
      const { deviceId: id, label } = device
      return place({ device: { id, label }, to, before: position ?? null })
    },
    onSuccess: onClose,
  })
  const submit = () => {
    setTried(true)
    const { lat, lon } = spot
    if (lat !== undefined && lon !== undefined) save.mutate({ lat, lon })
  }
  const wrong = (value: number | undefined, word: MessageId) =>
    tried && value === undefined ? t(word) : undefined
  return (
    <FormDialog
      onClose={onClose}
      title={t('device-map.positionOf', { device: device.label })}
      verb={t('device-map.savePosition')}
      pending={save.isPending}
      error={save.error ? errorText(save.error).message : undefined}
      onSubmit={() => submit()}
    >
      <Group grow align="flex-start">
        <TextInput
          data-autofocus
          label={t('device-map.latitude')}
          inputMode="decimal"
          value={lat}
          error={wrong(spot.lat, 'device-map.latitudeWrong')}
          onChange={(event) => setLat(event.currentTarget.value)}
        />
        <TextInput
          label={t('device-map.longitude')}
          inputMode="decimal"
          value={lon}
          error={wrong(spot.lon, 'device-map.longitudeWrong')}
          onChange={(event) => setLon(event.currentTarget.value)}
        />
      </Group>
    </FormDialog>
  )
}
