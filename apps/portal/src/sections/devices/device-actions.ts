/** What is done to one device from its row. */
export type DeviceAction = 'edit' | 'preset' | 'attribute' | 'group' | 'move' | 'delete'
