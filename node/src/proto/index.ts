/**
 * The protobuf files that the node serves: services, methods, HTTP rules, and messages as JSON.
 * Owns: node/proto and its compiled form, the JSON mapping of the Cosmos SDK's gateway.
 * Does not own: what a method answers, any listener.
 * Invariant: messages stay bytes outside this room; JSON numbers of 64 bits and decimals are strings.
 */

export type { FieldDescription, MessageDescription } from './messageDescription.ts';
export { packDescriptors } from './packDescriptors.ts';
export { type HttpRule, openProtoSchema, type ProtoMethod, type ProtoSchema } from './protoSchema.ts';
