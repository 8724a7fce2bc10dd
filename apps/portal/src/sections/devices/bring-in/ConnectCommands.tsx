import { CopyBlock } from '@longreach/ui/CopyBlock'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { agentCommand, endpointLines } from '../../../parts/devices/agent-command.ts'
import shared from '../devices.module.css'
import classes from './connect.module.css'

/** The key that the platform shows once, for the device, and where it is entered. */
export type IssuedKey = { activationKey: string; pairingEndpoint: string; issuedAt: string }

/** The key, and the commands for the computer, the machine or the own device that it is for. */
export function ConnectCommands({
  issued: { activationKey, pairingEndpoint },
}: {
  issued: IssuedKey
}) {
  const t = useWords()
  const { origin } = location
  const command = t('devices.command')
  return (
    <div className={classes.part}>
      <div className={classes.keyLine}>
        <p className={shared.warn}>{t('devices.keyOnce')}</p>
        <CopyBlock large text={activationKey} label={t('devices.key')} />
      </div>
      <Tabs defaultValue="agent">
        <Tabs.List className={classes.ways}>
          <Tabs.Tab value="agent">{t('devices.way.agent')}</Tabs.Tab>
          <Tabs.Tab value="file">{t('devices.way.file')}</Tabs.Tab>
          <Tabs.Tab value="sdk">{t('devices.way.sdk')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="agent" pt={10} className={classes.part}>
          <p className={shared.dim}>{t('devices.way.agentText')}</p>
          <CopyBlock label={command} text={agentCommand(activationKey, origin)} />
        </Tabs.Panel>
        <Tabs.Panel value="file" pt={10} className={classes.part}>
          <p className={shared.dim}>{t('devices.way.fileText')}</p>
          <CopyBlock label={t('devices.way.fileName')} text={fileCommand(origin)} />
          <CopyBlock
            label={command}
            text={`EDGE_ACTIVATION_KEY=${activationKey} npm run edge -- --config edge.yaml`}
          />
        </Tabs.Panel>
        <Tabs.Panel value="sdk" pt={10} className={classes.part}>
          <p className={shared.dim}>{t('devices.way.sdkText')}</p>
          <CopyBlock
            label={t('devices.way.settings')}
            text={`ACTIVATION_KEY=${activationKey}\nPAIRING_ENDPOINT=${pairingEndpoint}`}
          />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

const fileCommand = (origin: string) => `cat > edge.yaml <<'END'
${endpointLines(origin)}
sources:
  - type: modbus
    name: plc
    host: 192.168.0.10
    tags:
      - { name: temperature, area: holding, address: 0, type: float32 }
END`
