/** Actions on one device from its row. */
export type DeviceAction = 'edit' | 'preset' | 'attribute' | 'group' | 'move' | 'delete'
