// The entry "@haft/core/policy": decide calls with rules and policies, match grants, and replay recorded decisions.
export type {
  ApprovalProposal,
  GrantMatch,
  GrantSubject,
  Operand,
  PolicyFailure,
  SyncPolicy,
} from "./approval/approval.js";
export type {
  ApprovalResponse,
  AskedCall,
  RememberChoice,
  RememberGrant,
} from "./approval/approval-answer.js";
export { broadestGrant, grantCovers } from "./approval/approval-request.js";
export { assertRulesFit } from "./approval/check-rule-fit.js";
export { assertRuleRoles, rolesKnownTo, toolsNamedBy, unknownTool } from "./approval/check-rule-names.js";
export {
  composePolicy,
  type PolicyComposition,
  type PolicyLayers,
  type PolicyParts,
} from "./approval/compose-policy.js";
export { namedPolicy } from "./approval/consult-policy.js";
export {
  allowNoEffect,
  allowReadOnly,
  askForProtected,
  decide,
  firstOpinion,
  proposedByTool,
  strictest,
} from "./approval/policies.js";
export {
  type ArgumentCondition,
  type ChangeKind,
  type PathCondition,
  type PathPatterns,
  type RuleCondition,
  rulePolicy,
} from "./approval/policy-rule.js";
export { type ReadAnswer, readAnswer, type ShownAs } from "./approval/read-answer.js";
export type { RuleExample } from "./approval/rule-example.js";
export { type ReplayedDecision, type ReplayedTool, replayDecisions } from "./audit/replay-decisions.js";
export { type RuleSuggestion, suggestRules } from "./audit/suggest-rules.js";
export { mayUse, missingPermissions } from "./permission/role.js";
export { canBeRehearsed, changesFiles, declaredPermissions } from "./permission/tool-permission.js";
export type { CallInspection, CommandFacts, InspectFacts, SimpleCommand } from "./tool/call-inspection.js";
