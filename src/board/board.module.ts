import { Module } from '@nestjs/common';
import { CardsModule } from './cards/cards.module.js';
import { WorkflowModule } from './workflow/workflow.module.js';

/** The board of a project: cards that people and agents move together, and the workflow that they follow. */
@Module({ imports: [WorkflowModule, CardsModule], exports: [WorkflowModule, CardsModule] })
export class BoardModule {}
